package org.hourstone.api.put;

import java.util.Map;
import java.util.Set;
import org.hourstone.Tsdb;
import org.hourstone.api.endpoint.DefaultTag;
import org.hourstone.write.Receipt;
import org.hourstone.write.TextPoints;

/** {@code /api/put}: decimals are stored in 8 bytes. */
public record PlainPuts(Tsdb db, DefaultTag defaultTag) implements PutKind {
  @Override
  public Set<String> fields() {
    return Set.of();
  }

  @Override
  public TextPoints batch() {
    return db.writer().jsonPoints();
  }

  @Override
  public void put(
      PutPoint point, String metric, Map<String, String> tags, Receipt receipt, long token) {
    db.writer()
        .putText(metric, tags, point.timestamp(), String.valueOf(point.value()), receipt, token);
  }
}
