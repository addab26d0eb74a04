package org.hourstone.internal;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import org.hourstone.error.RequestException;
import org.jspecify.annotations.Nullable;

/**
 * Reads, merges and writes the JSON of a record type; the record's components define the fields. A
 * field is a text, a number, a boolean, a map of texts or an enum constant; it is unset if it is
 * empty, 0, NaN, false or null. Thread-safe.
 *
 * @param <T> a public record
 */
public final class RecordFields<T extends Record> {
  private static final Map<Class<?>, Object> UNSET =
      Map.of(
          String.class,
          "",
          long.class,
          0L,
          int.class,
          0,
          double.class,
          Double.NaN,
          boolean.class,
          false);

  private final Constructor<T> constructor;
  private final Map<String, Field> fields = new LinkedHashMap<>();

  /**
   * @param renamed the JSON names of components that have another name in JSON
   */
  public RecordFields(Class<T> kind, Map<String, String> renamed) {
    RecordComponent[] components = kind.getRecordComponents();
    for (RecordComponent component : components) {
      String name = renamed.getOrDefault(component.getName(), component.getName());
      fields.put(name, new Field(name, component.getType(), component.getAccessor()));
    }
    try {
      constructor =
          kind.getConstructor(
              Arrays.stream(components).map(RecordComponent::getType).toArray(Class<?>[]::new));
    } catch (NoSuchMethodException e) {
      throw new IllegalArgumentException(kind + " is not public", e);
    }
  }

  /**
   * A field of the records.
   *
   * @param name its name in JSON
   */
  public record Field(String name, Class<?> type, Method accessor) {
    /** The field's value in a record. */
    public @Nullable Object of(Record record) {
      try {
        return accessor.invoke(record);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("can't read " + name, e);
      }
    }

    /** Whether a record sets the field. */
    public boolean isSet(Record record) {
      return !Objects.equals(of(record), UNSET.get(type));
    }

    private @Nullable Object read(JsonNode json) {
      if (type == double.class) {
        return Json.decimal(json, name);
      }
      if (type == int.class) {
        return (int) Json.integer(json, name);
      }
      if (type == long.class) {
        return Json.integer(json, name);
      }
      return type == Map.class ? Json.strings(json, name) : Json.string(json, name);
    }
  }

  /** A record with these field values. Throws what the record's constructor throws. */
  public T build(Function<Field, @Nullable Object> values) {
    try {
      return constructor.newInstance(fields.values().stream().map(values).toArray());
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof RuntimeException refusal
          ? refusal
          : new IllegalStateException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A record that sets only some fields, by name. */
  public T of(Map<String, ?> given) {
    return build(
        field -> given.containsKey(field.name) ? given.get(field.name) : UNSET.get(field.type));
  }

  /**
   * Reads a record. Fields that are missing or null are unset; numbers may be quoted, and an int
   * keeps the low 32 bits.
   *
   * @param given the values of fields that are not read, by name
   * @throws RequestException if a field has the wrong type
   */
  public T read(JsonNode json, Map<String, ?> given) {
    return build(field -> given.containsKey(field.name) ? given.get(field.name) : field.read(json));
  }

  /** The record with some fields replaced, by name. */
  public T with(T record, Map<String, ?> given) {
    return build(field -> given.containsKey(field.name) ? given.get(field.name) : field.of(record));
  }

  /** The record, with the fields that it does not set taken from another. */
  public T or(T record, T other) {
    return build(field -> field.of(field.isSet(record) ? record : other));
  }

  /** The names of the fields in JSON. */
  public Set<String> names() {
    return Collections.unmodifiableSet(fields.keySet());
  }

  /** Whether any field has this property. */
  public boolean any(Predicate<Field> property) {
    return fields.values().stream().anyMatch(property);
  }

  /** Puts all fields of a record into an object, in their order. */
  public ObjectNode put(ObjectNode json, T record) {
    return put(json, record, String.join(" ", fields.keySet()));
  }

  /**
   * Puts fields of a record into an object; null if they are null.
   *
   * @param names in the order of the JSON, with blanks between them
   */
  public ObjectNode put(ObjectNode json, T record, String names) {
    for (String name : names.split(" ")) {
      json.set(name, Json.value(Objects.requireNonNull(fields.get(name), name).of(record)));
    }
    return json;
  }
}
