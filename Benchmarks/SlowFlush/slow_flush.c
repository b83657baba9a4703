// Loaded before a program, this makes each of its flushes take as long as on a slower disk: what the real flush
// leaves of that time is waited for. SIWA_BENCH_FLUSH_MICROSECONDS says how long.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <time.h>

static long microseconds;

// Linux may wake a thread 50 microseconds late otherwise; threads that start later inherit this.
__attribute__((constructor)) static void prepare(void) {
    const char *text = getenv("SIWA_BENCH_FLUSH_MICROSECONDS");
    microseconds = text ? strtol(text, NULL, 10) : 0;
    if (microseconds <= 0 || prctl(PR_SET_TIMERSLACK, 1UL) != 0) abort();
}

static int flush_slowly(const char *name, int descriptor) {
    int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
    struct timespec end;
    clock_gettime(CLOCK_MONOTONIC, &end);
    end.tv_sec += microseconds / 1000000;
    end.tv_nsec += microseconds % 1000000 * 1000;
    if (end.tv_nsec >= 1000000000) {
        end.tv_sec += 1;
        end.tv_nsec -= 1000000000;
    }
    int result = real(descriptor);
    int error = errno;
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &end, NULL) == EINTR) continue;
    errno = error;
    return result;
}

int fdatasync(int descriptor) { return flush_slowly("fdatasync", descriptor); }

int fsync(int descriptor) { return flush_slowly("fsync", descriptor); }
