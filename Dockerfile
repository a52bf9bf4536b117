# One image for every process of ours; the command says which. glibc, because Temporal's core is not built for Alpine.
FROM node:24-bookworm-slim

ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    POS_DATA_DIR=/data \
    WORKFLOW_BUNDLE=/app/workflows.js

# For the PDFs of receipts; its security updates come with the image's. DejaVu has the Latin letters, npm ci brings the others.
RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium-headless-shell fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci --omit=dev
COPY . .
RUN node local/sources/take-types-out.mjs && node worker/bundle.ts workflows.js && mkdir /data && chown node:node /data

# Every process takes the sources whose types are out already.
ENV NODE_OPTIONS=--import=/app/local/sources/plain-sources.mjs

USER node
VOLUME /data
EXPOSE 8080 8090 9464
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=20", "api/main.ts"]
