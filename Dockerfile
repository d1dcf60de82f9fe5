# The service, in every role: docs/operations.md says how it is run. NODE_VERSION is that of the package `node`, since the
# build of the dashboard is made for one version.
ARG NODE_VERSION=24.21.0

FROM node:${NODE_VERSION}-bookworm-slim AS build
ENV NEXT_TELEMETRY_DISABLED=1
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY . .
# What only the build needs, and the second Node, stay here. The build knows its sources by the lock file, which pruning may
# write anew.
RUN npm run build \
  && cp package-lock.json /tmp/ && npm prune --omit=dev && cp /tmp/package-lock.json . \
  && rm -rf node_modules/node node_modules/node-bin-* node_modules/lucide-react \
    node_modules/@rolldown node_modules/@esbuild node_modules/@esbuild-kit node_modules/esbuild \
    node_modules/drizzle-kit node_modules/playwright-core node_modules/lightningcss-* node_modules/@img .next/cache

FROM node:${NODE_VERSION}-bookworm-slim
# What it is built from: `--build-arg COMMIT=$(git rev-parse HEAD)`; /api/health, the dashboard and the figures say it.
ARG COMMIT=
ENV CALLWRIGHT_COMMIT=$COMMIT
LABEL org.opencontainers.image.revision=$COMMIT
ENV NODE_ENV=production NEXT_TELEMETRY_DISABLED=1 HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
# Read by the service's user and written by nobody.
COPY --from=build /app ./
RUN mkdir --mode=0700 /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not `npm start`: npm would stand between the signal and the service.
CMD ["node", "server/start.ts"]
