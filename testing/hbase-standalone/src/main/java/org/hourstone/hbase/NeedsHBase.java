package org.hourstone.hbase;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;

/** Marks tests that start an HBase; {@code -Dhbase.skip} leaves them out. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@DisabledIfSystemProperty(named = "hbase.skip", matches = "|true", disabledReason = "-Dhbase.skip")
public @interface NeedsHBase {}
