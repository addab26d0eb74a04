package org.hourstone;

import static org.hourstone.Setting.Section.ROLLUPS;
import static org.hourstone.ValueType.number;
import static org.hourstone.ValueType.text;

/** The settings of rollups that a database computes itself, a part of {@link Settings}. */
public final class RollupSettings {
  static final SettingList ALL = new SettingList();

  public static final Setting<String> AUTO =
      ALL.setting(
              ROLLUPS,
              "hourstone.rollups.auto",
              text("intervals, separated by commas, such as `10m,1h,1d`"))
          .byDefault("")
          .means(
              "intervals to which points are [rolled up](rollups.md) by the database itself;"
                  + " queries that are downsampled then read them where the result is the same; if"
                  + " empty, none");
  public static final Setting<Integer> RATE =
      ALL.setting(ROLLUPS, "hourstone.rollups.rows_per_second", number("rows", 1))
          .byDefault("20000")
          .means("maximum number of rows of points that a daemon rolls up in a second");
  public static final Setting<String> TABLE =
      ALL.setting(ROLLUPS, "hourstone.rollups.state_table", text("a table name"))
          .byDefault("tsdb-rollup-state")
          .means("table that says which hours are rolled up, and which of their rows have changed");

  private RollupSettings() {}
}
