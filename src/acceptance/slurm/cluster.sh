#!/usr/bin/env bash
# A Slurm of two nodes in this machine, below a folder: `cluster.sh start FOLDER`, `stop FOLDER`; `end FOLDER JOB` kills the
# processes of a job, `lose FOLDER NODE` all of a node at once, as if its plug were pulled, and `node FOLDER NODE` brings it back.
#
# It has a key, sockets and ports of its own and touches nothing of a Slurm that may be here. What it needs are Debian's packages slurmctld,
# slurmd, slurm-client and munge; two slurmd of one host are told apart by `-N` (man slurmd). The plugins are those that work without
# cgroups, so in a plain container, too: task/none, proctrack/pgid, jobacct_gather/none (man slurm.conf).
set -eu
folder=$2
export SLURM_CONF="$folder/slurm.conf"
export PATH="$PATH:/usr/sbin:/sbin"

daemon() { # of a node
    slurmd -N "$1"
}

processes() { # of jobs of this cluster with a variable
    of_cluster=$(grep --files-with-matches --null-data --line-regexp "SLURM_CONF=$SLURM_CONF" /proc/[0-9]*/environ 2>/dev/null || true)
    [ -n "$of_cluster" ] || return 0
    grep --files-with-matches --null-data --line-regexp "$1" $of_cluster 2>/dev/null | cut -d/ -f3 || true
}

free_port() {
    python3 -c 'import socket; s = socket.socket(); s.bind(("", 0)); print(s.getsockname()[1])'
}

case $1 in
start)
    for program in slurmctld slurmd munged sbatch squeue scontrol; do
        command -v $program >/dev/null || { echo "there is no $program: apt-get install slurmctld slurmd slurm-client munge" >&2; exit 3; }
    done
    mkdir -p "$folder/state" "$folder/log"
    chmod 0755 "$folder"
    mkdir -p -m 0755 "$folder/munge"
    head -c 64 /dev/urandom >"$folder/munge/key"
    chmod 0400 "$folder/munge/key"
    munged --force --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge/pid" \
        --log-file="$folder/munge/log" --seed-file="$folder/munge/seed"
    host=$(hostname)
    cat >"$SLURM_CONF" <<CONF
ClusterName=dlbench
SlurmctldHost=$host
SlurmctldPort=$(free_port)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$folder/munge/socket
CredType=cred/munge
StateSaveLocation=$folder/state
SlurmdSpoolDir=$folder/spool.%n
SlurmctldPidFile=$folder/slurmctld.pid
SlurmdPidFile=$folder/slurmd.%n.pid
SlurmctldLogFile=$folder/log/slurmctld
SlurmdLogFile=$folder/log/slurmd.%n
ProctrackType=proctrack/pgid
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobCompType=jobcomp/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=sched_min_interval=100000,bf_interval=2
# A node whose daemon is gone is lost after this time, and its jobs start anew; one that comes back is taken in again.
SlurmdTimeout=10
SlurmctldTimeout=10
ReturnToService=2
JobRequeue=1
KillWait=2
MinJobAge=${MIN_JOB_AGE:-60}
NodeName=node1 NodeHostname=$host Port=$(free_port) CPUs=1 State=UNKNOWN
NodeName=node2 NodeHostname=$host Port=$(free_port) CPUs=1 State=UNKNOWN
PartitionName=bench Nodes=node1,node2 Default=YES MaxTime=60 State=UP
CONF
    slurmctld
    daemon node1
    daemon node2
    for _ in $(seq 100); do
        [ "$(sinfo --noheader --format=%t --Node | grep -c idle)" = 2 ] && exit 0
        sleep 0.2
    done
    echo "the nodes did not come up:" >&2
    sinfo >&2
    tail -n 20 "$folder"/log/* >&2
    exit 1
    ;;
node)
    daemon "$3"
    ;;
end)
    # A job, as if somebody had ended its processes on their node.
    kill -9 $(processes "SLURM_JOB_ID=$3")
    ;;
lose)
    # The daemon, the processes of its jobs, and above these slurmstepd, which first: it would tell that they are gone.
    for _ in $(seq 100); do
        jobs=$(processes "SLURMD_NODENAME=$3")
        [ -z "$jobs" ] || break
        sleep 0.1
    done
    steps=$(for pid in $jobs; do ps -o ppid= -p "$pid"; done | sort -u)
    for pid in $steps; do grep -qa slurmstepd "/proc/$pid/cmdline" && kill -9 "$pid"; done || true
    kill -9 "$(cat "$folder/slurmd.$3.pid")" $jobs 2>/dev/null || true
    ;;
stop)
    scancel --user="$(id -un)" 2>/dev/null || true
    for _ in $(seq 25); do
        [ -z "$(squeue --noheader 2>/dev/null)" ] && break
        sleep 0.2
    done
    for pid in "$folder"/slurmctld.pid "$folder"/slurmd.*.pid "$folder"/munge/pid; do
        [ -e "$pid" ] && kill "$(cat "$pid")" 2>/dev/null || true
    done
    ;;
esac
