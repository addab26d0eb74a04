package org.hourstone.health;

import org.hourstone.kv.StoreException;

/** Something was not written, since the store's disk is nearly full; it may be repeated later. */
public final class DiskReserveException extends StoreException {
  private static final long serialVersionUID = 1L;

  DiskReserveException(String message) {
    super(Outcome.NOT_APPLIED, message);
  }
}
