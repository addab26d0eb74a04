package org.hourstone.tool;

import java.util.List;
import org.hourstone.codec.RowKey;
import org.hourstone.kv.KeyValueStore;
import org.hourstone.tool.CopyFamily.Holds;
import org.hourstone.uid.UidTable;

/**
 * The source and the target of a copy.
 *
 * @param families the families of both stores, exactly one for each of names, UIDs and series'
 *     metadata
 * @param keys the row keys of both
 * @param uids the UID table of the source
 * @param admission throws if nothing new is put into the target now
 */
public record CopyTables(
    KeyValueStore from,
    KeyValueStore to,
    List<CopyFamily> families,
    RowKey keys,
    UidTable uids,
    Runnable admission) {
  public CopyTables {
    families = List.copyOf(families);
  }

  /** The family of UIDs to names. */
  CopyFamily names() {
    return only(Holds.NAMES);
  }

  /** The family of names to UIDs. */
  CopyFamily ids() {
    return only(Holds.UIDS);
  }

  /** The family of the metadata of series. */
  CopyFamily series() {
    return only(Holds.SERIES);
  }

  private CopyFamily only(Holds holds) {
    return families.stream().filter(each -> each.holds() == holds).findFirst().orElseThrow();
  }
}
