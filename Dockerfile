# One image for every process of ours; the command says which. docs/deploy/README.md says how to build and check it.
# By its exact version. With its digest it can never be another one: --build-arg NODE_IMAGE=node:24.21.0-bookworm-slim@sha256:…
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

# Makes the build, with the packages of developers; nothing else of this stage comes into the image.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci
COPY . .
RUN npm run build

# The packages that run. Without npm's Chromium and npm's Node: the image has one of each already.
FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci --omit=dev && rm -rf node_modules/@sparticuz node_modules/node-linux-* node_modules/.cache client

# glibc, because Temporal's core is not built for Alpine.
FROM ${NODE_IMAGE}

ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    POS_DATA_DIR=/data

# Chromium makes the PDFs of receipts; its security updates come with the image's. DejaVu has the Latin letters, npm ci brings the
# others. tini passes signals on, and buries what a browser leaves behind.
RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium-headless-shell fonts-dejavu-core tini \
    && rm -rf /var/lib/apt/lists/* \
    && mkdir /data && chown node:node /data

WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY --from=build /app/dist dist

ARG VERSION=""
ARG REVISION=""
LABEL org.opencontainers.image.title="point-of-sale-backend" \
      org.opencontainers.image.description="The server side of a retail register: API, worker, migration and the operator's tool" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"

# By its number, so that a cluster sees that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 8080 9464
# Of the API; whoever runs another process gives its own, as docker-compose.yml does.
HEALTHCHECK --interval=10s --timeout=4s --start-period=20s --retries=6 \
    CMD ["node", "dist/deploy/answers.mjs", "http://127.0.0.1:8080/health/live"]
ENTRYPOINT ["tini", "--"]
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=20", "dist/api/main.js"]
