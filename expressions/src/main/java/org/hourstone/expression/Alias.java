package org.hourstone.expression;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.hourstone.expression.Arguments.Word;
import org.hourstone.query.ResultSeries;
import org.hourstone.query.SeriesBuilder;

/**
 * Another name in place of metric and tags, in which {@code @tag} is replaced by the tag's value.
 *
 * @param dialect how values are copied
 */
record Alias(String name, ExpressionDialect dialect) implements EachSeries {
  static Alias of(Arguments arguments) {
    Word first = arguments.first("Missing the alias", "a name");
    String name = arguments.words().stream().map(Word::text).collect(Collectors.joining(","));
    if (name.isEmpty()) {
      throw arguments.wrong(first, "Missing the alias", "empty name");
    }
    return new Alias(name, arguments.dialect());
  }

  @Override
  public ResultSeries apply(ResultSeries series, Evaluation evaluation) {
    SeriesBuilder renamed =
        new SeriesBuilder(name(series.tags()), Map.of(), List.of(), series.tsuids());
    dialect.copyRenamed(series, renamed);
    return renamed.build();
  }

  private String name(Map<String, String> tags) {
    String filled = name;
    // If one tag's name is a prefix of another's, the longer name is matched first.
    for (String tagk :
        tags.keySet().stream().sorted(Comparator.comparing(String::length).reversed()).toList()) {
      filled = filled.replace("@" + tagk, tags.get(tagk));
    }
    return filled;
  }
}
