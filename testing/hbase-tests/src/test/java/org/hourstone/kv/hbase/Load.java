package org.hourstone.kv.hbase;

import java.util.List;

/** What goes on while servers fail, and can tell afterwards whether all of it was right. */
interface Load {
  /** On a machine with other work, the servers may take minutes to recover from a death. */
  int TIMEOUT_SECONDS = 240;

  long PATIENCE_SECONDS = TIMEOUT_SECONDS + 60;

  List<Activity> activities();

  /** Nothing that was acknowledged is missing. To be asked when all has ended. */
  void assertComplete() throws Exception;
}
