package org.hourstone.kv.rocksdb;

import org.rocksdb.AbstractEventListener;
import org.rocksdb.BackgroundErrorReason;
import org.rocksdb.Status;

/**
 * Forbids that RocksDB recovers from a lack of space by itself. If an append to a log has failed in
 * the middle of a record, it would begin another log, which states that the incomplete record is
 * there. If it can't write the tables of the log's changes then, the database can't be opened ever
 * after, since the log seems to be cut.
 */
final class NoRecovery extends AbstractEventListener {
  NoRecovery() {
    super(EnabledEventCallback.ON_ERROR_RECOVERY_BEGIN);
  }

  @Override
  public boolean onErrorRecoveryBegin(BackgroundErrorReason reason, Status error) {
    return false;
  }
}
