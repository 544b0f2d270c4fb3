/* The smallest program that captures an X11 screen through shared memory, as the measure for ours.
 *
 * Build: cc -O2 -o xshm_grab xshm_grab.c -lX11 -lXext
 * Use:   DISPLAY=:0 xshm_grab [COUNT]
 * Prints two numbers: the median and the mean time of one XShmGetImage of the whole screen, in nanoseconds.
 */
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XShm.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ipc.h>
#include <sys/shm.h>
#include <time.h>

static long long now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int compare(const void *a, const void *b) {
    long long x = *(const long long *)a, y = *(const long long *)b;
    return (x > y) - (x < y);
}

int main(int argc, char **argv) {
    int count = argc > 1 ? atoi(argv[1]) : 500;
    if (count < 1) return 2;
    Display *display = XOpenDisplay(NULL);
    if (!display || !XShmQueryExtension(display)) {
        fprintf(stderr, "no display, or no MIT-SHM\n");
        return 1;
    }
    int screen = DefaultScreen(display);
    XShmSegmentInfo segment;
    XImage *image = XShmCreateImage(display, DefaultVisual(display, screen), DefaultDepth(display, screen),
                                    ZPixmap, NULL, &segment, DisplayWidth(display, screen),
                                    DisplayHeight(display, screen));
    if (!image) return 1;
    segment.shmid = shmget(IPC_PRIVATE, (size_t)image->bytes_per_line * image->height, IPC_CREAT | 0600);
    if (segment.shmid < 0) return 1;
    segment.shmaddr = image->data = shmat(segment.shmid, NULL, 0);
    segment.readOnly = False;
    XShmAttach(display, &segment);
    XSync(display, False);
    shmctl(segment.shmid, IPC_RMID, NULL);

    long long *times = malloc(sizeof *times * count), sum = 0;
    if (!times) return 1;
    for (int i = -20; i < count; i++) { /* twenty rounds to warm up */
        long long start = now();
        if (!XShmGetImage(display, RootWindow(display, screen), image, 0, 0, AllPlanes)) return 1;
        if (i >= 0) sum += times[i] = now() - start;
    }
    qsort(times, count, sizeof *times, compare);
    printf("%lld %lld\n", times[count / 2], sum / count);
    return 0;
}
