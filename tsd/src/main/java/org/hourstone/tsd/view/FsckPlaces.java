package org.hourstone.tsd.view;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.hourstone.tool.FsckFinding;
import org.hourstone.tool.FsckKind;

/** The first findings of each kind. */
public final class FsckPlaces {
  private final int most;
  private final Map<FsckKind, List<FsckFinding>> places = new EnumMap<>(FsckKind.class);

  /**
   * @param most the maximum number kept of each kind
   */
  public FsckPlaces(int most) {
    this.most = most;
  }

  public void add(FsckFinding finding) {
    List<FsckFinding> ofKind = places.computeIfAbsent(finding.kind(), kind -> new ArrayList<>());
    if (ofKind.size() < most) {
      ofKind.add(finding);
    }
  }

  List<FsckFinding> of(FsckKind kind) {
    return places.getOrDefault(kind, List.of());
  }
}
