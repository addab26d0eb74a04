package org.hourstone.expression;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Map;
import java.util.TreeMap;
import org.hourstone.kv.Bytes;
import org.hourstone.uid.UidKind;
import org.hourstone.uid.UidTable;

/**
 * The key by which series are joined and ordered: the UIDs of their tags, as in OpenTSDB; for tags
 * of computed series, which have no UID, the names. Thread-safe.
 */
final class TagOrder {
  private final UidTable uids;

  TagOrder(UidTable uids) {
    this.uids = uids;
  }

  /** The same for series with the same tags and aggregated tags. */
  Bytes key(Map<String, String> tags, Collection<String> aggregated) {
    TreeMap<Bytes, byte[]> pairs = new TreeMap<>();
    tags.forEach(
        (tagk, tagv) -> pairs.put(new Bytes(uid(UidKind.TAGK, tagk)), uid(UidKind.TAGV, tagv)));
    ByteArrayOutputStream key = new ByteArrayOutputStream();
    pairs.forEach(
        (tagk, tagv) -> {
          key.writeBytes(tagk.array());
          key.writeBytes(tagv);
        });
    aggregated.stream()
        .map(tagk -> new Bytes(uid(UidKind.TAGK, tagk)))
        .sorted()
        .forEach(tagk -> key.writeBytes(tagk.array()));
    return new Bytes(key.toByteArray());
  }

  private byte[] uid(UidKind kind, String name) {
    byte[] uid = uids.find(kind, name);
    return uid == null ? name.getBytes(StandardCharsets.UTF_8) : uid;
  }
}
