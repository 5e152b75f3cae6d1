#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# A real Kubernetes of one's own on loopback, on Debian 12 with root, without a registry: Debian's source package of Kubernetes,
# built once into a cache; Debian's etcd, containerd and runc, unpacked beside it and not installed. It shares nothing with a
# cluster or a containerd that the machine has.
#   cluster.sh build        the cache: 34 MB of source, about ten minutes on two cores, once
#   cluster.sh start DIR    a cluster whose state is below DIR; kubeconfigs of its users are DIR/NAME.kubeconfig
#   cluster.sh stop DIR     ends it and its pods
#   cluster.sh api-stop DIR, cluster.sh api-start DIR    the API server alone goes away and comes back; the pods stay
# Users: admin; watcher and actor, by the roles of docs/kubernetes in the namespace "vcjob"; nobody, without a role; expired,
# whose token the server does not know. Cache: $RANKDECK_KUBERNETES, else ~/.cache/rankdeck/kubernetes.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
cache=${RANKDECK_KUBERNETES:-$HOME/.cache/rankdeck/kubernetes}
kubectl=$cache/root/usr/bin/kubectl
programs=(kube-apiserver kubelet)
revision=2   # of what is built; a cache of another one builds the API server again
unpacked=(etcd-server containerd runc busybox-static kubernetes-client)

say() { echo "kubernetes: $*" >&2; }
die() { say "$*"; exit 1; }

# apt with lists of its own, for this call alone: the machine's own lists and sources stay as they are.
private_apt() {
    local command=$1
    shift
    mkdir -p "$cache/apt/lists/partial" "$cache/apt/archives/partial"
    {
        echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main'
        echo 'deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian-security bookworm-security main'
        echo 'deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main'
    } >"$cache/apt/sources.list"
    "$command" -qq -o Dir::Etc::sourcelist="$cache/apt/sources.list" -o Dir::Etc::sourceparts=/dev/null -o Dir::State::lists="$cache/apt/lists" \
        -o Dir::Cache::archives="$cache/apt/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root "$@"
}

unpack() {
    [ -e "$cache/root/usr/bin/containerd" ] && [ -e "$cache/root/usr/bin/kubectl" ] && return 0
    (cd "$cache/download" && private_apt apt-get download "${unpacked[@]}")
    for name in "${unpacked[@]}"; do dpkg -x "$cache/download/${name}"_*.deb "$cache/root"; done
}

build_program() {
    local go=$cache/go
    mkdir -p "$go/src/k8s.io" "$cache/home"
    ln -sfn "$cache/source" "$go/src/k8s.io/kubernetes"
    (
        cd "$go/src/k8s.io/kubernetes"
        # HOME: the build writes a go.env there otherwise. GOFLAGS: one word, as the build takes all of it for tags.
        HOME=$cache/home GOPATH=$go GOCACHE=$cache/go-build GOFLAGS=-mod=vendor CGO_ENABLED=0 GOPROXY=off \
            make WHAT="cmd/$1"
    ) >>"$cache/build.log" 2>&1 || { tail -30 "$cache/build.log" >&2; die "the build failed: $cache/build.log"; }
    install -m 755 "$cache/source/_output/local/bin/linux/amd64/$1" "$cache/bin/$1"
}

# reflect2 of that age takes a function of Go's runtime that Go 1.18 changed: the first object of a CustomResourceDefinition
# would end the API server. Called here as that Go has it, with room for all of its iterator.
mend_source() {
    local reflect2=$cache/source/vendor/github.com/modern-go/reflect2
    grep -q 'm unsafe.Pointer) \*hiter$' "$reflect2/unsafe_link.go" || return 0
    sed -i 's/^\(func mapiterinit(rtype unsafe.Pointer, m unsafe.Pointer\)) \*hiter$/\1, it *hiter)/
s|^\t// rest fields are ignored$|\trest [6]unsafe.Pointer // t, h, buckets, bptr, overflow, oldoverflow\n\tmore [4]uintptr|' "$reflect2/unsafe_link.go"
    sed -i 's/^\treturn &UnsafeMapIterator{$/\tvar it hiter\n\tmapiterinit(type2.rtype, *(*unsafe.Pointer)(obj), \&it)\n&/
s/hiter: *mapiterinit(.*),$/hiter:      \&it,/' "$reflect2/unsafe_map.go"
}

is_ready() { [ "$(cat "$cache/ready" 2>/dev/null)" = "$revision" ]; }

build() {
    # shellcheck source=packaging/install-build-tools.sh
    . "$here/../../packaging/install-build-tools.sh"
    mkdir -p "$cache/download" "$cache/bin"
    exec 9>"$cache/lock"
    flock 9   # a second call waits for the first
    is_ready && return 0
    [ ! -e "$cache/ready" ] || rm -f "$cache/ready" "$cache/bin/kube-apiserver"
    install_packages golang-go rsync jq gcc libc6-dev make dpkg-dev ca-certificates || die "packages are missing"
    private_apt apt-get update
    unpack
    if [ ! -d "$cache/source" ]; then
        (cd "$cache/download" && private_apt apt-get source --download-only kubernetes)
        rm -rf "$cache/source.new"
        (cd "$cache/download" && dpkg-source -q --no-check -x kubernetes_*.dsc "$cache/source.new")
        mv "$cache/source.new" "$cache/source"
    fi
    mend_source
    say "building Kubernetes into $cache, about ten minutes on two cores"
    for name in "${programs[@]}"; do [ -e "$cache/bin/$name" ] || build_program "$name"; done
    gcc -static -O2 -o "$cache/bin/pause" "$cache/source/build/pause/linux/pause.c"
    rm -rf "$cache/go-build" "$cache/source" "$cache/go" "$cache/home"
    echo "$revision" >"$cache/ready"
}

# Free ports on loopback, one a line.
free_ports() {
    python3 - "$1" <<'PY'
import socket, sys
taken = [socket.socket() for _ in range(int(sys.argv[1]))]
for one in taken:
    one.bind(("127.0.0.1", 0))
print("\n".join(str(one.getsockname()[1]) for one in taken))
PY
}

# run NAME PROGRAM ARGUMENT…: in the background with a log and a pid file, in a session of its own.
run() {
    local name=$1
    shift
    setsid "$@" >>"$dir/log/$name.log" 2>&1 </dev/null &
    echo $! >"$dir/run/$name.pid"
}

# wait_for SECONDS WHAT COMMAND…
wait_for() {
    local until=$((SECONDS + $1)) what=$2
    shift 2
    until "$@" >/dev/null 2>&1; do
        [ $SECONDS -lt $until ] || { tail -n 8 "$dir"/log/*.log >&2; die "$what did not come up"; }
        sleep 0.3
    done
}

end() {   # NAME…, in this order; each by its own pid
    local name pid until
    for name in "$@"; do
        [ -s "$dir/run/$name.pid" ] || continue
        pid=$(cat "$dir/run/$name.pid")
        kill "$pid" 2>/dev/null || true
        until=$((SECONDS + 15))
        while kill -0 "$pid" 2>/dev/null && [ $SECONDS -lt $until ]; do sleep 0.1; done
        kill -9 "$pid" 2>/dev/null || true
        rm -f "$dir/run/$name.pid"
    done
}

kubeconfig() {   # USER TOKEN
    cat >"$dir/$1.kubeconfig" <<YAML
apiVersion: v1
kind: Config
clusters: [{name: private, cluster: {server: "https://127.0.0.1:$api_port", certificate-authority: $dir/certs/apiserver.crt}}]
users: [{name: $1, user: {token: $2}}]
contexts: [{name: private, context: {cluster: private, user: $1, namespace: vcjob}}]
current-context: private
YAML
    chmod 600 "$dir/$1.kubeconfig"
}

k() { "$kubectl" --kubeconfig="$dir/admin.kubeconfig" "$@"; }

api_start() {
    . "$dir/ports"
    run apiserver "$cache/bin/kube-apiserver" --etcd-servers="http://127.0.0.1:$etcd_port" --bind-address=127.0.0.1 --advertise-address=127.0.0.1 \
        --secure-port="$api_port" --cert-dir="$dir/certs" --service-cluster-ip-range=10.199.0.0/24 --service-account-key-file="$dir/certs/sa.pub" \
        --service-account-signing-key-file="$dir/certs/sa.key" --service-account-issuer=https://127.0.0.1 --token-auth-file="$dir/tokens.csv" \
        --authorization-mode=Node,RBAC --allow-privileged=true --kubelet-preferred-address-types=Hostname --endpoint-reconciler-type=none \
        --audit-log-path="$dir/log/audit.log" --audit-policy-file="$dir/audit.yaml"
    wait_for 180 "the API server" k get --raw /readyz
}

write_configurations() {
    printf 'apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\nrules: [{level: Metadata}]\n' >"$dir/audit.yaml"
    cat >"$dir/containerd.toml" <<TOML
version = 2
root = "$dir/containerd"
state = "$dir/containerd-run"
disabled_plugins = ["io.containerd.snapshotter.v1.btrfs", "io.containerd.snapshotter.v1.zfs", "io.containerd.snapshotter.v1.aufs", "io.containerd.snapshotter.v1.devmapper"]
[grpc]
  address = "$dir/containerd.sock"
[plugins."io.containerd.grpc.v1.cri"]
  restrict_oom_score_adj = true
  sandbox_image = "localhost/pause:1"
  stream_server_address = "127.0.0.1"
  stream_server_port = "$stream_port"
  disable_apparmor = true
[plugins."io.containerd.grpc.v1.cri".cni]
  bin_dir = "$dir/cni-bin"
  conf_dir = "$dir/cni-conf"
TOML
    cat >"$dir/kubelet.yaml" <<YAML
apiVersion: kubelet.config.k8s.io/v1beta1
kind: KubeletConfiguration
address: 127.0.0.1
port: $kubelet_port
healthzPort: $health_port
cgroupDriver: cgroupfs
cgroupsPerQOS: false
enforceNodeAllocatable: []
failSwapOn: false
evictionHard: {}
syncFrequency: 2s
volumeStatsAggPeriod: 5s
configMapAndSecretChangeDetectionStrategy: Watch
authentication: {anonymous: {enabled: true}, webhook: {enabled: false}}
authorization: {mode: AlwaysAllow}
YAML
}

write_users() {
    local user token
    : >"$dir/tokens.csv"
    for user in admin kubelet watcher actor nobody; do
        token=$(openssl rand -hex 16)
        case $user in
        admin | kubelet) echo "$token,$user,$user,\"system:masters\"" ;;
        *) echo "$token,$user,$user" ;;
        esac >>"$dir/tokens.csv"
        kubeconfig $user "$token"
    done
    kubeconfig expired "$(openssl rand -hex 16)"
}

start() {
    is_ready || die "not built yet: $0 build"
    [ "$(id -u)" = 0 ] || die "a kubelet needs root"
    mkdir -p "$dir"/{log,run,certs,etcd,images,kubelet,containerd,containerd-run}
    local ports image
    mapfile -t ports < <(free_ports 6)
    echo "etcd_port=${ports[0]} etcd_peer_port=${ports[1]} api_port=${ports[2]} kubelet_port=${ports[3]} health_port=${ports[4]} stream_port=${ports[5]}" >"$dir/ports"
    . "$dir/ports"
    openssl genrsa -out "$dir/certs/sa.key" 2048 2>/dev/null
    openssl rsa -in "$dir/certs/sa.key" -pubout -out "$dir/certs/sa.pub" 2>/dev/null
    write_users
    write_configurations
    export PATH="$cache/root/usr/bin:$cache/root/usr/sbin:$PATH"
    run etcd "$cache/root/usr/bin/etcd" --data-dir="$dir/etcd" --listen-client-urls="http://127.0.0.1:$etcd_port" --advertise-client-urls="http://127.0.0.1:$etcd_port" \
        --listen-peer-urls="http://127.0.0.1:$etcd_peer_port" --initial-cluster="default=http://127.0.0.1:$etcd_peer_port" \
        --initial-advertise-peer-urls="http://127.0.0.1:$etcd_peer_port" --unsafe-no-fsync
    run containerd "$cache/root/usr/bin/containerd" --config "$dir/containerd.toml"
    "$here/images.py" "$cache/bin/pause" "$cache/root/bin/busybox" "$dir/images"
    local ctr=("$cache/root/usr/bin/ctr" --address "$dir/containerd.sock" -n k8s.io)
    wait_for 60 containerd "${ctr[@]}" version
    for image in pause host bare; do "${ctr[@]}" images import "$dir/images/$image.tar" >>"$dir/log/images.log" 2>&1; done
    api_start
    # named localhost: so the API server finds it on loopback, where alone it listens (a node's address may be no loopback one)
    run kubelet "$cache/bin/kubelet" --kubeconfig="$dir/kubelet.kubeconfig" --config="$dir/kubelet.yaml" --container-runtime=remote \
        --container-runtime-endpoint="unix://$dir/containerd.sock" --hostname-override=localhost --root-dir="$dir/kubelet" --cert-dir="$dir/certs"
    wait_for 120 "the node" k get node localhost
    k create namespace vcjob >/dev/null
    k create serviceaccount default -n vcjob >/dev/null   # there is no controller that would
    k apply -n vcjob -f "$here/../../docs/kubernetes/watch-role.yaml" -f "$here/../../docs/kubernetes/act-role.yaml" >/dev/null
    k create rolebinding watch -n vcjob --role=rankdeck-watch --user=watcher --user=actor >/dev/null
    k create rolebinding act -n vcjob --role=rankdeck-act --user=actor >/dev/null
    say "ready: $kubectl --kubeconfig=$dir/admin.kubeconfig get nodes"
}

stop() {
    [ -d "$dir/run" ] || return 0
    if [ -s "$dir/run/apiserver.pid" ]; then
        timeout 60 "$kubectl" --kubeconfig="$dir/admin.kubeconfig" delete pods --all --all-namespaces --grace-period=1 --timeout=40s >>"$dir/log/stop.log" 2>&1 || true
    fi
    end kubelet
    # what the kubelet could not end
    local ctr=("$cache/root/usr/bin/ctr" --address "$dir/containerd.sock" -n k8s.io) task
    for task in $(timeout 10 "${ctr[@]}" tasks list -q 2>/dev/null || true); do timeout 10 "${ctr[@]}" tasks delete --force "$task" >/dev/null 2>&1 || true; done
    end apiserver containerd etcd
    # mounts of its own pods, which would stay for ever
    awk -v d="$dir/" 'index($2, d) == 1 { print $2 }' /proc/mounts | sort -r | while read -r mount; do umount -l "$mount" || true; done
}

dir=${2:-}
case ${1:-} in
build) build ;;
start | stop | api-start | api-stop)
    [ -n "$dir" ] || die "which directory? $0 $1 DIR"
    mkdir -p "$dir"
    dir=$(cd "$dir" && pwd)
    case $1 in
    start) start ;;
    stop) stop ;;
    api-start) api_start ;;
    api-stop) end apiserver ;;
    esac
    ;;
*) sed -n '3,12p' "$0" >&2; exit 2 ;;
esac
