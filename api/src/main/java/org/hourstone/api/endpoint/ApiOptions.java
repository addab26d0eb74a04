package org.hourstone.api.endpoint;

import java.time.InstantSource;
import java.time.ZoneId;
import java.util.Locale;
import org.hourstone.DaemonSettings;
import org.hourstone.QuerySettings;
import org.hourstone.Setting;
import org.hourstone.Settings;
import org.hourstone.StrictSubject;
import org.hourstone.Tsdb;
import org.hourstone.TsdbOptions;
import org.hourstone.codec.RowKey;
import org.hourstone.expression.ExpressionDialect;
import org.hourstone.index.LookupDialect;
import org.hourstone.uid.NameRules;
import org.hourstone.write.LineDialect;

/** The settings of a database that affect its requests and responses. Immutable. */
public final class ApiOptions {
  private final TsdbOptions settings;
  private final RowKey keys;
  private final DefaultTag defaultTag;

  private ApiOptions(TsdbOptions settings) {
    this.settings = settings;
    this.keys = new RowKey(settings.schema());
    this.defaultTag = DefaultTag.of(settings.get(Settings.DEFAULT_TAG));
  }

  /**
   * @throws IllegalArgumentException if the setting of the default tag is not one
   */
  public static ApiOptions of(Tsdb db) {
    return new ApiOptions(db.engine().options());
  }

  public InstantSource clock() {
    return settings.clock();
  }

  /** Of dates in requests that name no zone. */
  public ZoneId timeZone() {
    return settings.timeZone();
  }

  public RowKey keys() {
    return keys;
  }

  /** The rules for names that requests assign. */
  public NameRules names() {
    return settings.nameRules();
  }

  /** The tag of points that are put without any. */
  public DefaultTag defaultTag() {
    return defaultTag;
  }

  public ApiDialect requests() {
    return settings.dialect(StrictSubject.REQUESTS, ApiDialect.HOURSTONE, ApiDialect.OPENTSDB);
  }

  public ErrorDialect errors() {
    return settings.dialect(StrictSubject.POINTS, ErrorDialect.HOURSTONE, ErrorDialect.OPENTSDB);
  }

  public LineDialect lines() {
    return settings.lineDialect();
  }

  public LookupDialect lookups() {
    return settings.lookupDialect();
  }

  public ExpressionDialect expressions() {
    return ExpressionDialect.of(settings);
  }

  public ServerMode mode() {
    return ServerMode.valueOf(settings.get(DaemonSettings.MODE).toUpperCase(Locale.ROOT));
  }

  /** Whether clients may stop the process. */
  public boolean allowsStop() {
    return !settings.get(DaemonSettings.NO_DIEDIEDIE);
  }

  /** The directory for backups; empty if backups are off. */
  public String backupDirectory() {
    return settings.get(DaemonSettings.BACKUP_DIRECTORY);
  }

  /** Whether queries may delete what they read. */
  public boolean allowsDelete() {
    return settings.get(QuerySettings.ALLOW_DELETE);
  }

  /** Whether all points of a request are parsed before any is stored. */
  public boolean wholePuts() {
    return settings.isStrict(StrictSubject.POINTS);
  }

  /** Whether decimals closer to 0 than the smallest double become 0. */
  public boolean vanishingDecimals() {
    return settings.isStrict(StrictSubject.POINTS);
  }

  /** Whether every value of JSON that is not a number is null. */
  public boolean nullForNan() {
    return settings.get(QuerySettings.NULL_FOR_NAN);
  }

  /** For lookups and suggestions. */
  public ResultCeiling ceiling() {
    return new ResultCeiling(settings.get(Settings.LOOKUP_MAX_RESULTS));
  }

  /** How many rows a request for last points may look for; 0 for any number. */
  public int maxLastRows() {
    return settings.get(Settings.LAST_MAX_ROWS);
  }

  /** Whether the times of writes to series are tracked. */
  public boolean tracksSeries() {
    return settings.get(Settings.META_TRACKING)
        || settings.get(Settings.META_REALTIME_TS)
        || settings.get(Settings.META_INCREMENTING);
  }

  /** The value of any setting, as text. */
  public String text(Setting<?> setting) {
    return settings.text(setting);
  }
}
