/* The independent witness of the keyboard tests: what an ordinary Xlib program gets, and what the server says.
 *
 *   witness window [--ping] [--slow MS]   a focused window; one line per key event on standard output
 *   witness state                         modifiers, groups, controls and the keys that are down, by Xlib
 *   witness lock MODS | latch MODS | group N | controls BITS | device DEVICE CODE 0|1
 */
#include <X11/XKBlib.h>
#include <X11/Xatom.h>
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#include <X11/extensions/XInput.h>
#include <X11/extensions/XTest.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void print_key(XIC context, XKeyEvent *event)
{
    char text[64];
    KeySym symbol = NoSymbol;
    Status status;
    int length;
    if (event->type == KeyRelease) {
        printf("up %u\n", event->keycode);
        return;
    }
    length = Xutf8LookupString(context, event, text, sizeof text - 1, &symbol, &status);
    if (status != XLookupChars && status != XLookupBoth) length = 0;
    printf("down %u %s %u ", event->keycode, symbol ? XKeysymToString(symbol) : "-", event->state);
    for (int i = 0; i < length; i++) printf("%02x", (unsigned char)text[i]);
    printf("\n");
}

/* A slow program is one that computes. */
static void work(int milliseconds)
{
    clock_t until = clock() + (clock_t)milliseconds * (CLOCKS_PER_SEC / 1000);
    while (clock() < until) {}
}

static int window(Display *display, int ping, int slow)
{
    Window root = DefaultRootWindow(display), top, child;
    Atom protocols = XInternAtom(display, "WM_PROTOCOLS", False);
    Atom ping_atom = XInternAtom(display, "_NET_WM_PING", False);
    XIM method;
    XIC context;
    XEvent event;
    XSetLocaleModifiers("@im=none");
    method = XOpenIM(display, NULL, NULL, NULL);
    top = XCreateSimpleWindow(display, root, 0, 0, 200, 100, 0, 0, 0);
    child = XCreateSimpleWindow(display, top, 0, 0, 200, 100, 0, 0, 0);
    if (!method) return fprintf(stderr, "no input method\n"), 1;
    context = XCreateIC(method, XNInputStyle, XIMPreeditNothing | XIMStatusNothing, XNClientWindow, child, NULL);
    if (ping) XSetWMProtocols(display, top, &ping_atom, 1);
    XSelectInput(display, child, KeyPressMask | KeyReleaseMask | ExposureMask | FocusChangeMask);
    XMapWindow(display, child);
    XMapWindow(display, top);
    XSetICFocus(context);
    for (;;) {
        XNextEvent(display, &event);
        if (slow && (event.type == KeyPress || event.type == MappingNotify)) work(slow);
        if (event.type == MappingNotify) XRefreshKeyboardMapping(&event.xmapping);
        if (event.type == ClientMessage && event.xclient.message_type == protocols
            && (Atom)event.xclient.data.l[0] == ping_atom) {
            event.xclient.window = root;
            XSendEvent(display, root, False, SubstructureNotifyMask | SubstructureRedirectMask, &event);
        }
        if (XFilterEvent(&event, None)) continue;
        if (event.type == Expose) XSetInputFocus(display, child, RevertToParent, CurrentTime);
        if (event.type == FocusIn) printf("ready\n");
        if (event.type == KeyPress || event.type == KeyRelease) print_key(context, &event.xkey);
        fflush(stdout);
    }
}

static void state(Display *display)
{
    XkbStateRec state;
    XkbDescPtr description = XkbAllocKeyboard();
    char keys[32];
    XkbGetState(display, XkbUseCoreKbd, &state);
    printf("base %u latched %u locked %u group %u base %d latched %d locked %u", state.base_mods, state.latched_mods,
           state.locked_mods, state.group, state.base_group, state.latched_group, state.locked_group);
    if (description && XkbGetControls(display, XkbAllControlsMask, description) == Success)
        printf(" controls %u", description->ctrls->enabled_ctrls);
    XQueryKeymap(display, keys);
    for (int code = 8; code < 256; code++)
        if (keys[code / 8] & (1 << (code % 8))) printf(" down %d", code);
    printf("\n");
}

static int device_key(Display *display, const char *name, unsigned code, int down)
{
    int count = 0;
    XDeviceInfo *devices = XListInputDevices(display, &count);
    for (int i = 0; i < count; i++)
        if (!strcmp(devices[i].name, name)) {
            XDevice *device = XOpenDevice(display, devices[i].id);
            XTestFakeDeviceKeyEvent(display, device, code, down, NULL, 0, 0);
            return 0;
        }
    return 1;
}

int main(int count, char **words)
{
    Display *display = XOpenDisplay(NULL);
    const char *what = count > 1 ? words[1] : "";
    unsigned number = count > 2 ? (unsigned)atoi(words[2]) : 0;
    int failed = 0;
    setlocale(LC_ALL, "C.UTF-8");
    if (!display) return fprintf(stderr, "no display\n"), 2;
    if (!strcmp(what, "window")) {
        int ping = 0, slow = 0;
        for (int i = 2; i < count; i++) {
            if (!strcmp(words[i], "--ping")) ping = 1;
            if (!strcmp(words[i], "--slow") && i + 1 < count) slow = atoi(words[++i]);
        }
        return window(display, ping, slow);
    }
    if (!strcmp(what, "state")) state(display);
    else if (!strcmp(what, "lock")) XkbLockModifiers(display, XkbUseCoreKbd, 0xff, number);
    else if (!strcmp(what, "latch")) XkbLatchModifiers(display, XkbUseCoreKbd, 0xff, number);
    else if (!strcmp(what, "group")) XkbLockGroup(display, XkbUseCoreKbd, number);
    else if (!strcmp(what, "controls")) XkbChangeEnabledControls(display, XkbUseCoreKbd, XkbSlowKeysMask | XkbBounceKeysMask | XkbStickyKeysMask, number);
    else if (!strcmp(what, "device") && count > 4) failed = device_key(display, words[2], (unsigned)atoi(words[3]), atoi(words[4]));
    else failed = 2;
    XSync(display, False);
    XCloseDisplay(display);
    return failed;
}
