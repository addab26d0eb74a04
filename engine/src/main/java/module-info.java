/** The time-series engine: names, writing, rewriting and queries over any store. */
module org.hourstone {
  requires transitive org.hourstone.core;
  requires static org.jspecify;
  requires static transitive com.google.errorprone.annotations;
  requires ch.randelshofer.fastdoubleparser;
  requires com.fasterxml.jackson.databind;
  requires com.google.common;
  requires org.jctools.core.jdk11;
  requires roaringbitmap;

  exports org.hourstone;
  exports org.hourstone.annotation;
  exports org.hourstone.error;
  exports org.hourstone.export;
  exports org.hourstone.health;
  exports org.hourstone.histogram;
  exports org.hourstone.index;
  exports org.hourstone.meta;
  exports org.hourstone.query;
  exports org.hourstone.retention;
  exports org.hourstone.rewrite;
  exports org.hourstone.rollup;
  exports org.hourstone.series;
  exports org.hourstone.table;
  exports org.hourstone.tree;
  exports org.hourstone.uid;
  exports org.hourstone.write;
  exports org.hourstone.query.run to
      org.hourstone.api,
      org.hourstone.tool;
  exports org.hourstone.head to
      org.hourstone.api,
      org.hourstone.tool;
  exports org.hourstone.internal to
      org.hourstone.api,
      org.hourstone.expression,
      org.hourstone.tool;

  opens org.hourstone.table to
      com.fasterxml.jackson.databind; // checkpoints

  uses org.hourstone.histogram.HistogramCodec;

  provides org.hourstone.kv.FamilyCodec with
      org.hourstone.PointsCodec,
      org.hourstone.RollupsCodec;
}
