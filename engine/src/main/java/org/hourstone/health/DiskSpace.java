package org.hourstone.health;

/**
 * The file system of a store, in bytes.
 *
 * @param free how much can still be written
 * @param total its size
 * @param reserve with less free than this, new points are refused; 0 if they never are
 */
public record DiskSpace(long free, long total, long reserve) {}
