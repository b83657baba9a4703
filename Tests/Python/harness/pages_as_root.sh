# Prepares a temporary root file system as a server's machine, for pages that install something (pages.py).
cat > /usr/local/bin/sudo <<'END'
#!/bin/sh
[ "$1" = -u ] || exit 1
user=$2
shift 2
exec env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="/var/lib/$user" \
    setpriv --reuid "$user" --regid "$user" --init-groups "$@"
END
# The packages are installed already.
printf '#!/bin/sh\n' > /usr/local/bin/apt-get
install -m 0755 "${BASH_SOURCE%/*}/systemctl.sh" /usr/local/bin/systemctl
chmod +x /usr/local/bin/*
export PATH=/usr/local/bin:$PATH
trap 'systemctl stop siwa || true; kill "${servers[@]}" 2> /dev/null || true' EXIT

# The files that a reader copies to the machine.
printf '#!/bin/sh\nexec %s "$@"\n' "$BINARY" > siwa
cp -r "$CLONE/deployment" "$CLONE/docs/how-to/operations.md" .
openssl genpkey -algorithm ec -pkeyopt ec_paramgen_curve:P-256 -out AuthKey_ABC123DEFG.p8
