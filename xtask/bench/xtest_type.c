/* The yardstick for typing: the time an X server needs for the same key events from a plain C loop.
 *
 *   cc -O2 -o xtest_type xtest_type.c -lX11 -lXtst
 *   xtest_type [CHARACTERS] [ROUNDS]
 *
 * Presses and releases the letters a to z in turn, as many as CHARACTERS (1000), flushes once, waits for the
 * server, and prints the nanoseconds of the fastest and of the median round, one line.
 */
#include <X11/Xlib.h>
#include <X11/keysym.h>
#include <X11/extensions/XTest.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int ascending(const void *left, const void *right)
{
    long long a = *(const long long *)left, b = *(const long long *)right;
    return (a > b) - (a < b);
}

int main(int count, char **words)
{
    int characters = count > 1 ? atoi(words[1]) : 1000, rounds = count > 2 ? atoi(words[2]) : 20;
    Display *display = XOpenDisplay(NULL);
    KeyCode codes[26];
    long long *times = calloc((size_t)(rounds > 0 ? rounds : 1), sizeof *times);
    if (!display || !times || rounds < 1) return 1;
    for (int letter = 0; letter < 26; letter++) codes[letter] = XKeysymToKeycode(display, XK_a + letter);
    for (int round = 0; round < rounds; round++) {
        long long begin = now();
        for (int i = 0; i < characters; i++) {
            XTestFakeKeyEvent(display, codes[i % 26], True, CurrentTime);
            XTestFakeKeyEvent(display, codes[i % 26], False, CurrentTime);
        }
        XSync(display, False);
        times[round] = now() - begin;
    }
    qsort(times, (size_t)rounds, sizeof *times, ascending);
    printf("%lld %lld\n", times[0], times[rounds / 2]);
    return 0;
}
