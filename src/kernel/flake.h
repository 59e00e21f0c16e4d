/*
 * flake.h
 *		The kernel: formats, alphabets, ticks and time, and the generator's policy.
 *
 * Units: "us" is microseconds since the Unix epoch, signed.  A "tick" is a
 * format's unit of time, counted from the format's own epoch.
 */
#ifndef FLAKE_H
#define FLAKE_H

#include "kernel/text.h"
#include "kernel/tick.h"
#include "kernel/format.h"
#include "kernel/sequence.h"
#include "kernel/issued.h"
#include "kernel/announcement.h"
#include "kernel/retention.h"

#endif							/* FLAKE_H */
