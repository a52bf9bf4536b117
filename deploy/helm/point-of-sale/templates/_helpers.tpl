{{- define "pos.name" -}}{{ printf "%s" .Release.Name | trunc 50 | trimSuffix "-" }}{{- end -}}

{{- define "pos.labels" -}}
app.kubernetes.io/name: point-of-sale
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Values.image.tag | default .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "pos.selector" -}}
app.kubernetes.io/name: point-of-sale
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .component }}
{{- end -}}

{{/* A build as a part of a name and as a label, which allow less than a build does. The letters at its end keep two apart that look alike. */}}
{{- define "pos.build" -}}
{{- $words := regexReplaceAll "[^a-z0-9]+" (lower .Values.temporal.buildId) "-" | trimAll "-" | trunc 20 | trimSuffix "-" -}}
{{- printf "%s-%s" $words (printf "%s %s" .Release.Name .Values.temporal.buildId | sha256sum | trunc 8) | trimPrefix "-" -}}
{{- end -}}

{{/* Workers of two builds stand beside each other, so each has its name. */}}
{{- define "pos.worker" -}}
{{- if .Values.temporal.buildId -}}
{{ include "pos.name" . | trunc 25 | trimSuffix "-" }}-worker-{{ include "pos.build" . }}
{{- else -}}
{{ include "pos.name" . }}-worker
{{- end -}}
{{- end -}}

{{- define "pos.image" -}}
{{- if .Values.image.digest -}}
{{ .Values.image.repository }}@{{ .Values.image.digest }}
{{- else -}}
{{ .Values.image.repository }}:{{ .Values.image.tag | default .Chart.AppVersion }}
{{- end -}}
{{- end -}}

{{- define "pos.secret" -}}{{ required "existingSecret: name a Secret with database-url, owner-database-url and pos-secret-key" .Values.existingSecret }}{{- end -}}

{{/* How Temporal is reached: the same for API, worker and job. */}}
{{- define "pos.temporalEnv" -}}
- name: TEMPORAL_ADDRESS
  value: {{ required "temporal.address: host:port of Temporal's frontend" .Values.temporal.address | quote }}
- name: TEMPORAL_NAMESPACE
  value: {{ .Values.temporal.namespace | quote }}
- name: TEMPORAL_TASK_QUEUE
  value: {{ .Values.temporal.taskQueue | quote }}
{{- if .Values.temporal.tlsSecret }}
- name: TEMPORAL_TLS_CERT
  value: /run/secrets/temporal/tls.crt
- name: TEMPORAL_TLS_KEY
  value: /run/secrets/temporal/tls.key
{{- if .Values.temporal.serverCa }}
- name: TEMPORAL_TLS_CA
  value: /run/secrets/temporal/ca.crt
{{- end }}
{{- end }}
{{- if .Values.temporal.apiKeySecretKey }}
- name: TEMPORAL_API_KEY
  valueFrom:
    secretKeyRef: { name: {{ include "pos.secret" . }}, key: {{ .Values.temporal.apiKeySecretKey }} }
{{- end }}
{{- end -}}

{{/* What API and worker share. */}}
{{- define "pos.env" -}}
- name: HOST
  value: 0.0.0.0
- name: POS_DATA_DIR
  value: /data
- name: LOG_FORMAT
  value: json
- name: DATABASE_URL
  valueFrom:
    secretKeyRef: { name: {{ include "pos.secret" . }}, key: database-url }
- name: POS_SECRET_KEY
  valueFrom:
    secretKeyRef: { name: {{ include "pos.secret" . }}, key: pos-secret-key }
- name: PUBLIC_BASE_URL
  value: {{ .Values.publicBaseUrl | quote }}
- name: GATEWAY_TIMEOUT_SECONDS
  value: {{ .Values.gatewayTimeoutSeconds | quote }}
{{ include "pos.temporalEnv" . }}
{{- if .Values.temporal.uiUrl }}
- name: TEMPORAL_UI_URL
  value: {{ .Values.temporal.uiUrl | quote }}
{{- end }}
{{- range $name, $value := .Values.settings }}
- name: {{ $name }}
  value: {{ $value | quote }}
{{- end }}
{{- range $name, $key := .Values.secretSettings }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef: { name: {{ include "pos.secret" $ }}, key: {{ $key }} }
{{- end }}
{{- end -}}

{{- define "pos.mounts" -}}
- { name: data, mountPath: /data }
- { name: tmp, mountPath: /tmp }
{{- if .Values.temporal.tlsSecret }}
- { name: temporal-tls, mountPath: /run/secrets/temporal, readOnly: true }
{{- end }}
{{- if .Values.database.caSecret }}
- { name: database-ca, mountPath: /run/secrets/database, readOnly: true }
{{- end }}
{{- end -}}

{{- define "pos.volumes" -}}
- { name: data, emptyDir: {} }
- { name: tmp, emptyDir: {} }
{{- if .Values.temporal.tlsSecret }}
- name: temporal-tls
  secret: { secretName: {{ .Values.temporal.tlsSecret }}, defaultMode: 0440 }
{{- end }}
{{- if .Values.database.caSecret }}
- name: database-ca
  secret: { secretName: {{ .Values.database.caSecret }}, defaultMode: 0444 }
{{- end }}
{{- end -}}

{{- define "pos.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "pos.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end -}}
