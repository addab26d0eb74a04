package org.hourstone.tree;

import java.util.List;
import java.util.Map;

/**
 * The parts of a series that the rules of trees apply to.
 *
 * @param tsuid upper-case hex
 * @param tags in the order of the TSUID
 */
public record TreeSeries(String tsuid, Named metric, List<Tag> tags) {
  /**
   * A name and the custom fields of its metadata.
   *
   * @param custom may be empty
   */
  public record Named(String name, Map<String, String> custom) {}

  /** A tag of the series. */
  public record Tag(Named key, Named value) {}
}
