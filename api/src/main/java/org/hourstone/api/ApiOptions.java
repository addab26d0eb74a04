package org.hourstone.api;

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
final class ApiOptions {
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
  static ApiOptions of(Tsdb db) {
    return new ApiOptions(db.engine().options());
  }

  InstantSource clock() {
    return settings.clock();
  }

  /** Of dates in requests that name no zone. */
  ZoneId timeZone() {
    return settings.timeZone();
  }

  RowKey keys() {
    return keys;
  }

  /** The rules for names that requests assign. */
  NameRules names() {
    return settings.nameRules();
  }

  /** The tag of points that are put without any. */
  DefaultTag defaultTag() {
    return defaultTag;
  }

  ApiDialect requests() {
    return settings.dialect(StrictSubject.REQUESTS, ApiDialect.HOURSTONE, ApiDialect.OPENTSDB);
  }

  ErrorDialect errors() {
    return settings.dialect(StrictSubject.POINTS, ErrorDialect.HOURSTONE, ErrorDialect.OPENTSDB);
  }

  LineDialect lines() {
    return settings.lineDialect();
  }

  LookupDialect lookups() {
    return settings.lookupDialect();
  }

  ExpressionDialect expressions() {
    return ExpressionDialect.of(settings);
  }

  ServerMode mode() {
    return ServerMode.valueOf(settings.get(DaemonSettings.MODE).toUpperCase(Locale.ROOT));
  }

  /** Whether clients may stop the process. */
  boolean allowsStop() {
    return !settings.get(DaemonSettings.NO_DIEDIEDIE);
  }

  /** Whether queries may delete what they read. */
  boolean allowsDelete() {
    return settings.get(QuerySettings.ALLOW_DELETE);
  }

  /** Whether all points of a request are parsed before any is stored. */
  boolean wholePuts() {
    return settings.isStrict(StrictSubject.POINTS);
  }

  /** Whether decimals closer to 0 than the smallest double become 0. */
  boolean vanishingDecimals() {
    return settings.isStrict(StrictSubject.POINTS);
  }

  /** Whether every value of JSON that is not a number is null. */
  boolean nullForNan() {
    return settings.get(QuerySettings.NULL_FOR_NAN);
  }

  /** For lookups and suggestions. */
  ResultCeiling ceiling() {
    return new ResultCeiling(settings.get(Settings.LOOKUP_MAX_RESULTS));
  }

  /** How many rows a request for last points may look for; 0 for any number. */
  int maxLastRows() {
    return settings.get(Settings.LAST_MAX_ROWS);
  }

  /** Whether the times of writes to series are tracked. */
  boolean tracksSeries() {
    return settings.get(Settings.META_TRACKING)
        || settings.get(Settings.META_REALTIME_TS)
        || settings.get(Settings.META_INCREMENTING);
  }

  /** The value of any setting, as text. */
  String text(Setting<?> setting) {
    return settings.text(setting);
  }
}
