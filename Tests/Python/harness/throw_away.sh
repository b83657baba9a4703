# Runs a command as root in a temporary root file system: its files are in memory, and disappear with the mounts.
#
# usage: unshare --mount … sh throw_away.sh FOLDER… -- COMMAND…     the command sees these folders themselves
set -e
mount -t tmpfs tmpfs /mnt
mkdir /mnt/upper /mnt/work /mnt/root
mount -t overlay overlay -o lowerdir=/,upperdir=/mnt/upper,workdir=/mnt/work /mnt/root
mount -t proc proc /mnt/root/proc
mount --rbind /dev /mnt/root/dev
cp /etc/hosts /mnt/root/etc/hosts
while [ "$1" != -- ]; do
    mkdir -p "/mnt/root$1"
    mount --rbind "$1" "/mnt/root$1"
    shift
done
shift
exec chroot /mnt/root "$@"
