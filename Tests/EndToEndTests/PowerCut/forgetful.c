// Loaded before a program, this remembers what each flush has made durable of the database's files, and
// nothing else: a program that continues with the copies does so as after a power cut.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

// Reads through the descriptor that was flushed: opening and closing the file again would drop the locks that
// the program holds on it.
static void copy(int from, int to) {
    char buffer[1 << 16];
    off_t offset = 0;
    ssize_t count;
    while ((count = pread(from, buffer, sizeof buffer, offset)) > 0) {
        if (write(to, buffer, (size_t)count) != count) abort();
        offset += count;
    }
    if (count < 0) abort();
}

static void remember(int descriptor) {
    const char *folder = getenv("SIWA_TEST_DURABLE_FOLDER");
    struct stat status;
    if (!folder || fstat(descriptor, &status) != 0 || !S_ISREG(status.st_mode)) return;
    char link[64], path[PATH_MAX];
    snprintf(link, sizeof link, "/proc/self/fd/%d", descriptor);
    ssize_t length = readlink(link, path, sizeof path - 1);
    if (length < 0) return;
    path[length] = 0;
    const char *name = strrchr(path, '/') + 1;
    if (strncmp(name, "siwa.sqlite", strlen("siwa.sqlite")) != 0) return;
    char half[PATH_MAX], whole[PATH_MAX];
    snprintf(half, sizeof half, "%s/.half-%ld", folder, (long)syscall(SYS_gettid));
    snprintf(whole, sizeof whole, "%s/%s", folder, name);
    int file = open(half, O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (file < 0) abort();
    copy(descriptor, file);
    close(file);
    if (rename(half, whole) != 0) abort();
}

int fdatasync(int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fdatasync");
    int result = real(descriptor);
    if (result == 0) remember(descriptor);
    return result;
}

int fsync(int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, "fsync");
    int result = real(descriptor);
    if (result == 0) remember(descriptor);
    return result;
}
