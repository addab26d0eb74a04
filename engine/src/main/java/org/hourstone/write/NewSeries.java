package org.hourstone.write;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.hourstone.error.RequestException;
import org.hourstone.uid.SeriesName;
import org.jspecify.annotations.Nullable;

/**
 * Series of points in text that are not known yet, to be resolved together. Whatever fails is left:
 * it is resolved again with its point, which reports the reason. For one thread.
 */
final class NewSeries {
  private final SeriesTable table;
  private final List<PointText> texts = new ArrayList<>();
  private final List<SeriesName> names = new ArrayList<>();

  NewSeries(SeriesTable table) {
    this.table = table;
  }

  /** Adds the series of a point, unless its names are invalid. */
  void add(PointText point) {
    PointText last = texts.isEmpty() ? null : texts.get(texts.size() - 1);
    boolean sameTags = last != null && point.hasSameTags(last);
    if (last != null && sameTags && point.hasSameMetric(last)) {
      return; // files may have all points of one series together
    }
    try {
      // Collectors send the metrics of a host together: their tags are resolved once.
      Map<String, String> tags =
          sameTags ? names.get(names.size() - 1).tags() : LineParser.tags(point.tags());
      SeriesName name = new SeriesName(point.metric(), tags);
      table.checkNames(name.metric(), tags);
      texts.add(point.copy());
      names.add(name);
    } catch (RequestException e) {
      // Reported when the point is put.
    }
  }

  /** Assigns UIDs to new names, and lets the series be known by their texts. */
  void resolve() {
    List<@Nullable Series> resolved = table.resolveAll(names);
    for (int i = 0; i < resolved.size(); i++) {
      Series series = resolved.get(i);
      if (series != null) {
        texts.get(i).remember(table, series);
      }
    }
  }
}
