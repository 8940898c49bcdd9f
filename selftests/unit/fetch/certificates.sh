#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-only
#
# certificates.sh FOLDER: make an authority, FOLDER/ca.crt, and the certificates NAME.pem of
# servers, each in its own way: valid, expired, not valid yet, for another host, and signed
# by an authority that nobody trusts.

set -eu
cd "$1"
mkdir -p stranger
touch index.txt stranger/index.txt

cat >ca.conf <<'END'
[ca]
default_ca = own
[own]
database = index.txt
rand_serial = yes
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = server
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
[server]
basicConstraints = CA:false
END

# key ARGUMENT...: a new key.
key=(-newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes)

# authority FOLDER NAME
authority() {
	openssl req -x509 "${key[@]}" -keyout "$1/ca.key" -out "$1/ca.crt" -days 2 \
		-subj "/CN=$2" -addext basicConstraints=critical,CA:true
}

# certificate NAME HOST START END [FOLDER]: times in days from now.
certificate() {
	local folder=${5:-.}

	openssl req -new "${key[@]}" -keyout "$1.key" -out "$1.csr" -subj "/CN=$2" \
		-addext "subjectAltName=DNS:$2"
	openssl ca -batch -notext -config ca.conf -cert "$folder/ca.crt" \
		-keyfile "$folder/ca.key" -in "$1.csr" -out "$1.crt" \
		-startdate "$(date -u -d "$3 days" +%Y%m%d%H%M%SZ)" \
		-enddate "$(date -u -d "$4 days" +%Y%m%d%H%M%SZ)"
	cat "$1.key" "$1.crt" >"$1.pem"
}

authority . "An authority"
authority stranger "A stranger"
certificate good localhost -1 1
certificate other localhost -1 1
certificate expired localhost -30 -3
certificate future localhost 3 30
certificate elsewhere example.org -1 1
certificate unknown localhost -1 1 stranger
