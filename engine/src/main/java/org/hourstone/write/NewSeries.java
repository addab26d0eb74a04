package org.hourstone.write;

import com.google.errorprone.annotations.CanIgnoreReturnValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.hourstone.error.RequestException;
import org.hourstone.uid.SeriesName;
import org.jspecify.annotations.Nullable;

/**
 * Series of points in text that are not known yet, to be resolved together, in few calls of the
 * store. Whatever fails is left: it is resolved again with its point, which reports the reason. For
 * one thread.
 */
public final class NewSeries {
  private final TextPoints batch;
  private final SeriesTable table;
  private final PointText json = new PointText();
  private final List<PointText> texts = new ArrayList<>();
  private final List<SeriesName> names = new ArrayList<>();

  NewSeries(TextPoints batch, SeriesTable table) {
    this.batch = batch;
    this.table = table;
  }

  /** Adds the series of a line, unless its names are invalid. */
  void add(PointText point) {
    add(point, () -> new SeriesName(point.metric(), LineParser.tags(point.tags())));
  }

  /**
   * Adds the series of a point of JSON, unless it is known, or the point is to be refused.
   *
   * @param places as for {@link TextPoints#addJson}
   * @param name its names; asked only if they are needed
   * @return whether it was added
   */
  @CanIgnoreReturnValue
  public boolean addJson(
      byte[] text, int[] places, int first, Supplier<@Nullable SeriesName> name) {
    PointText point = json.json(text, places, first);
    return batch.isNew(point) && add(point, name);
  }

  private boolean add(PointText point, Supplier<@Nullable SeriesName> asked) {
    PointText last = texts.isEmpty() ? null : texts.get(texts.size() - 1);
    boolean sameTags = last != null && point.hasSameTags(last);
    if (last != null && sameTags && point.hasSameMetric(last)) {
      return false; // files may have all points of one series together
    }
    try {
      SeriesName name = asked.get();
      if (name == null) {
        return false;
      }
      // Collectors send the metrics of a host together: their tags are resolved once.
      Map<String, String> tags = sameTags ? names.get(names.size() - 1).tags() : name.tags();
      table.checkNames(name.metric(), tags);
      texts.add(point.copy());
      names.add(new SeriesName(name.metric(), tags));
      return true;
    } catch (RequestException e) {
      return false; // reported when the point is put
    }
  }

  /** Assigns UIDs to new names, and lets the series be known by their texts. */
  public void resolve() {
    List<@Nullable Series> resolved = table.resolveAll(names);
    for (int i = 0; i < resolved.size(); i++) {
      Series series = resolved.get(i);
      if (series != null) {
        texts.get(i).remember(table, series);
      }
    }
  }
}
