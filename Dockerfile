# PostgreSQL with flakeid, on the official image: one stage builds the extension,
# the other takes what it installs. (For CloudNativePG: packaging/image/Dockerfile.)
#
#   docker build -t flakeid --build-arg PG_MAJOR=18 .
#   docker run -e POSTGRES_PASSWORD=secret -p 5432:5432 flakeid
ARG PG_MAJOR=18

FROM postgres:${PG_MAJOR}-bookworm AS build
# PG_MAJOR is the image's own from here on. Its packages are the newest of their
# major version, so no version of theirs is pinned.
# hadolint ignore=DL3008
RUN apt-get update \
 && apt-get install -y --no-install-recommends gcc libc6-dev make "postgresql-server-dev-${PG_MAJOR}" \
 && rm -rf /var/lib/apt/lists/*
WORKDIR /src
COPY . .
RUN make && make install DESTDIR=/installed

FROM postgres:${PG_MAJOR}-bookworm
COPY --from=build /installed/ /
