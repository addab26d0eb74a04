package org.hourstone;

import static org.hourstone.Setting.Section.RETENTION;
import static org.hourstone.ValueType.flag;
import static org.hourstone.ValueType.number;

import org.hourstone.retention.RetentionRules;

/** The settings of how long data is kept, a part of {@link Settings}. */
public final class RetentionSettings {
  static final SettingList ALL = new SettingList();

  public static final Setting<RetentionRules> RULES =
      ALL.setting(RETENTION, "hourstone.retention", ValueType.retention())
          .byDefault("")
          .means(
              "how long values are kept: rules, of which the first that matches a series applies"
                  + " ([retention](retention.md)); without rules everything is kept");
  public static final Setting<Boolean> SHORT =
      ALL.setting(RETENTION, "hourstone.retention.short", flag())
          .byDefault("false")
          .means("whether rules may delete what is younger than a day");
  public static final Setting<Integer> RATE =
      ALL.setting(RETENTION, "hourstone.retention.rows_per_second", number("rows", 1))
          .byDefault("5000")
          .means("maximum number of expired rows that a daemon deletes in a second");

  private RetentionSettings() {}
}
