package org.hourstone.codec;

/** The UIDs of one tag of a series. */
public record TagPair(byte[] tagk, byte[] tagv) {}
