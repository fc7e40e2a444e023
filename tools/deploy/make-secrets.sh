#!/bin/sh
# Makes the secrets of a new installation in ./secrets. What is there already is kept.
set -eu
cd "$(dirname "$0")"
umask 077
mkdir -p secrets
random() { openssl rand -hex 24; }
[ -s secrets/owner-password ] || random > secrets/owner-password
[ -s secrets/service-password ] || random > secrets/service-password
[ -s secrets/encryption-keys ] || printf 'k1:%s\n' "$(openssl rand -base64 32)" > secrets/encryption-keys
printf 'postgres://vault_owner:%s@postgres:5432/vault\n' "$(cat secrets/owner-password)" > secrets/owner-url
printf 'postgres://vault_service:%s@postgres:5432/vault\n' "$(cat secrets/service-password)" > secrets/database-url
# The services run as user 10001 of their image.
chmod 644 secrets/*
chmod 700 secrets
echo "Made in $(pwd)/secrets. Keep encryption-keys: without it no webhook secret can be read again."
