// SPDX-License-Identifier: MIT
// What the headers of others define, in one place: a public header has to compile after it.
#pragma once

// Those of the standard library come first, as they do with the libraries that define this. The others are those that the
// headers of Debian's packages define and that a name of ours could meet; `columns` and `lines` of <term.h> and `check` of
// macOS are public names, which the guide says to undefine.
#if __has_include(<bits/stdc++.h>)
#include <bits/stdc++.h>
#endif
#if __has_include(<immintrin.h>)
#include <immintrin.h>
#endif
#if __has_include(<X11/Xlib.h>)
#include <X11/Xlib.h>
#include <X11/Xutil.h>
#endif

// Qt's keywords
#define slots Q_SLOTS
#define signals public
#define emit
#define foreach(one, all) for (one : all)
#define forever for (;;)
// <windows.h> and what it includes
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define near
#define far
#define small char
#define hyper long long
#define interface struct
#define cdecl
#define pascal
#define ERROR 0
#define NO_ERROR 0
#define DELETE 0x10000
#define IN
#define OUT
#define OPTIONAL
#define CONST const
#define VOID void
#define THIS void
#define PURE = 0
#define TRUE 1
#define FALSE 0
#define STRICT 1
#define IGNORE 0
// <sys/sysmacros.h>, <complex.h>, <X11/Xos.h>, Debugging Macros of macOS
#define major(device) ((device) >> 8)
#define minor(device) ((device) & 0xff)
#define makedev(major_number, minor_number) (((major_number) << 8) | (minor_number))
#define I 1.0fi
#define index(text, one) strchr(text, one)
#define rindex(text, one) strrchr(text, one)
#define require(condition, label) goto label
#define verify(condition) ((void)(condition))
// <postgres.h>, for functions that PostgreSQL loads
#define qsort(values, count, size, compare) pg_qsort(values, count, size, compare)
#define likely(condition) __builtin_expect((condition) != 0, 1)
#define _(text) gettext(text)
// What GCC defines without -std=c++23
#define unix 1
#define linux 1
#define i386 1
