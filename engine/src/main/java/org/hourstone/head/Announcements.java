package org.hourstone.head;

import java.util.List;

/** Is notified of open rows as {@link org.hourstone.index.SeriesIndex} requires it. */
public interface Announcements {
  /** Rows are going to be readable. */
  void before(List<byte[]> rows);

  /** They are, and are about to be acknowledged. */
  void after();
}
