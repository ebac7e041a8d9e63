#!/bin/sh
# What an engineer would write by hand to start the same containers: the same images, configuration, mounts and hardening,
# one after another, and ready when a conductor with its drivers is registered. CONFIG holds the configuration files as
# ironstrap renders them, so that only starting is compared; secrets come from there, too.
#
#   sh up.sh up|down CONFIG ADDRESS KERNEL INITRAMFS
set -eu
action=$1 config=$2 address=$3 kernel=$4 initramfs=$5
ironic_image=localhost/ironstrap/ironic:latest
mariadb_image=localhost/ironstrap/mariadb:latest

if [ "$action" = down ]; then
	podman rm --force --time 1 hand-dnsmasq hand-httpd hand-ironic hand-mariadb >/dev/null
	podman network rm hand >/dev/null
	podman volume rm hand-data hand-shared hand-leases >/dev/null
	exit
fi

hardened="--cap-drop all --security-opt no-new-privileges --read-only --tmpfs /tmp:mode=1777 --restart on-failure:5"
podman network create --disable-dns --subnet 10.89.77.0/24 hand >/dev/null
for volume in hand-data hand-shared hand-leases; do podman volume create "$volume" >/dev/null; done

# shellcheck disable=SC2086
run() { podman run $hardened "$@"; }

run --detach --name hand-mariadb --network none --user 901:901 \
	--volume hand-data:/var/lib/mysql --volume "$config/sockets/mariadb:/run/mysqld" \
	--volume "$config/mariadb:/etc/ironstrap/mariadb:ro" \
	"$mariadb_image" /bin/sh /etc/ironstrap/mariadb/start.sh >/dev/null

run --rm --restart no --name hand-prepare --network none --user 0:0 --cap-add CHOWN,DAC_OVERRIDE,FOWNER \
	--volume "$config/prepare:/etc/ironstrap/prepare:ro" --volume hand-shared:/shared \
	--volume "$kernel:/deploy-ramdisk/kernel:ro" --volume "$initramfs:/deploy-ramdisk/initramfs:ro" \
	"$ironic_image" /bin/sh /etc/ironstrap/prepare/prepare.sh >/dev/null

until podman exec hand-mariadb mariadb --no-defaults --protocol=socket --socket=/run/mysqld/mysqld.sock --user=mysql \
	--execute "SHOW GRANTS FOR 'ironic'@'localhost'" >/dev/null 2>&1; do sleep 0.2; done

run --rm --restart no --name hand-schema --network none --user 902:902 --env HOME=/tmp \
	--volume "$config/schema:/etc/ironstrap/schema:ro" --volume "$config/sockets/mariadb:/run/mysqld" \
	--volume hand-shared:/shared \
	"$ironic_image" ironic-dbsync --config-file /etc/ironstrap/schema/ironic.conf create_schema >/dev/null 2>&1

run --detach --name hand-ironic --network hand --ip 10.89.77.20 --user 902:902 --env HOME=/tmp \
	--volume "$config/ironic:/etc/ironstrap/ironic:ro" --volume "$config/sockets/mariadb:/run/mysqld" \
	--volume "$config/sockets/ironic:/run/ironic" --volume hand-shared:/shared \
	"$ironic_image" ironic --config-file /etc/ironstrap/ironic/ironic.conf \
	--config-file /etc/ironstrap/ironic/secrets.conf >/dev/null

run --detach --name hand-httpd --network hand --ip 10.89.77.30 --user 903:903 \
	--publish "$address:6385:6385" --publish 127.0.0.1:6385:6386 --publish "$address:6180:6180" \
	--publish "$address:6183:6183" \
	--volume "$config/httpd:/etc/ironstrap/httpd:ro" --volume "$config/sockets/ironic:/run/ironic" \
	--volume hand-shared:/shared:ro \
	"$ironic_image" /usr/sbin/apache2 -f /etc/ironstrap/httpd/httpd.conf -DFOREGROUND >/dev/null

run --detach --name hand-dnsmasq --network host --user 0:0 --cap-add NET_ADMIN,NET_RAW,NET_BIND_SERVICE,SETUID,SETGID \
	--tmpfs /run --volume "$config/dnsmasq:/etc/ironstrap/dnsmasq:ro" --volume hand-leases:/var/lib/misc \
	--volume hand-shared:/shared:ro \
	"$ironic_image" /usr/sbin/dnsmasq --keep-in-foreground --conf-file=/etc/ironstrap/dnsmasq/dnsmasq.conf >/dev/null

# the credentials through standard input: arguments are seen by everyone
until sed 's/.*/user = "&"/' "$config/ironic/health.secret" |
	curl --silent --insecure --fail --config - https://127.0.0.1:6385/v1/drivers 2>/dev/null |
	grep -q '"hosts": \["'; do sleep 0.2; done
