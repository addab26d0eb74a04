package org.hourstone.write;

import java.time.ZoneId;

/**
 * How points in text form are read.
 *
 * @param exactImport whether decimals of import lines keep all their digits; else they are cut to 4
 *     bytes, as OpenTSDB's import does
 * @param lines how lines are read and refused
 * @param zone of dates in lines
 * @param wrapBaseTime whether timestamps beyond 2^32 s wrap around to 1970, as in OpenTSDB; else
 *     they are refused
 * @param vanishingDecimals whether decimals closer to 0 than the smallest double become 0, as in
 *     OpenTSDB; else they are refused
 */
public record TextOptions(
    boolean exactImport,
    LineDialect lines,
    ZoneId zone,
    boolean wrapBaseTime,
    boolean vanishingDecimals) {}
