package org.hourstone.kv.hbase;

import java.util.List;

/** What goes on while servers fail, and can tell afterwards whether all of it was right. */
interface Load {
  long PATIENCE_SECONDS = 150;

  List<Activity> activities();

  /** Nothing that was acknowledged is missing. To be asked when all has ended. */
  void assertComplete() throws Exception;
}
