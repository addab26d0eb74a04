package org.hourstone.health;

import java.time.Duration;

/**
 * The calls that were made to one table of a store, in one direction.
 *
 * @param table its name
 * @param writes whether they write
 * @param calls how many have ended, failed ones included; reading a row of a scan is not counted
 * @param failures how many of them have failed or were refused
 * @param time the time that the calls have taken together; a scan's is that of its beginning
 */
public record StoreCalls(String table, boolean writes, long calls, long failures, Duration time) {}
