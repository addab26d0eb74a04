package org.hourstone.codec.coded;

/**
 * A cell before it is coded.
 *
 * @param qualifier of the cell
 * @param value of the cell
 * @param age how long it was written before the newest of the cells that are coded together, in
 *     milliseconds; not negative
 */
public record PlainCell(byte[] qualifier, byte[] value, long age) {}
