# Makes the build, with the packages of developers; nothing else of this stage comes into the image.
FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci
COPY . .
RUN npm run build

# One image for every process of ours; the command says which. glibc, because Temporal's core is not built for Alpine.
FROM node:24-bookworm-slim

ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    POS_DATA_DIR=/data

# For the PDFs of receipts; its security updates come with the image's. DejaVu has the Latin letters, npm ci brings the others.
RUN apt-get update \
    && apt-get install -y --no-install-recommends chromium-headless-shell fonts-dejavu-core \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY client/package.json client/
RUN npm ci --omit=dev && mkdir /data && chown node:node /data
COPY --from=build /app/dist dist

USER node
VOLUME /data
EXPOSE 8080 8090 9464
CMD ["node", "--max-semi-space-size=16", "--heap-growing-percent=20", "dist/api/main.js"]
