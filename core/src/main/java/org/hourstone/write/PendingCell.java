package org.hourstone.write;

import org.hourstone.kv.Family;

/** A cell that is no plain point, on its way to the store as it is. */
record PendingCell(
    Family family, byte[] row, byte[] qualifier, byte[] value, Receipt receipt, long token)
    implements Work.Pending {}
