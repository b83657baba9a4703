# The image of siwa, in two stages: Swift builds the program, and its root file system becomes the image.
#
#   docker build -t siwa .
#   docker run --rm --read-only -p 127.0.0.1:8081:8081 -p 127.0.0.1:8082:8082 -v siwa:/var/lib/siwa siwa
#
# `make image` makes the same without Docker. docs/how-to/install.md tells how to use it.
FROM swift:6.2-bookworm AS build
WORKDIR /source
RUN --mount=type=bind,source=scripts,target=/source/scripts scripts/setup run image
COPY . .
RUN program=$(scripts/release-program) \
    && strip "$program" -o /siwa \
    && scripts/image-root /siwa /root-of-image \
    && chown 65534:65534 /root-of-image/var/lib/siwa

FROM scratch
COPY --from=build /root-of-image/ /
ENV SSL_CERT_FILE=/etc/ssl/certs/ca-certificates.crt HOME=/var/lib/siwa
# Nobody, who owns nothing but this folder: a volume there keeps the emulator's keys, and a database or a state put there.
USER 65534:65534
WORKDIR /var/lib/siwa
EXPOSE 8025 8080 8081 8082
ENTRYPOINT ["/usr/bin/siwa"]
# In a container, who reaches the ports is decided by those that are published.
CMD ["emulator", "--host", "0.0.0.0", "--control-host", "0.0.0.0", "--smtp-host", "0.0.0.0"]
# The control port of the emulator; compose.yaml has the accounts server's.
HEALTHCHECK --interval=10s --timeout=6s --start-period=2s --retries=3 CMD ["/usr/bin/siwa", "health"]
