package org.hourstone.write;

/**
 * How points in text form are read.
 *
 * @param exactImport whether decimals of import lines keep all their digits; else they are cut to 4
 *     bytes, as OpenTSDB's import does
 * @param anyTelnetDots whether every dot of a telnet timestamp is dropped; else only one before
 *     three digits, which are milliseconds
 * @param wrapBaseTime whether timestamps beyond 2^32 s wrap around to 1970, as in OpenTSDB; else
 *     they are refused
 */
public record TextOptions(boolean exactImport, boolean anyTelnetDots, boolean wrapBaseTime) {}
