package org.hourstone.server;

import io.netty.handler.codec.http.HttpRequest;
import java.util.EnumSet;
import java.util.Set;
import org.hourstone.api.request.ApiException;
import org.hourstone.api.request.ApiResponse;
import org.hourstone.api.request.Role;
import org.jspecify.annotations.Nullable;

/**
 * What the client of a request may do here, by the host it addressed, the site of its page and its
 * account.
 *
 * @param refusal the response if it may do nothing; else null
 * @param retryAfter the seconds after which the same request may be admitted; null if never
 * @param isReadOnly whether the request comes from a page that must not change anything
 */
record Access(
    @Nullable ApiResponse refusal,
    @Nullable String retryAfter,
    Set<Role> roles,
    boolean isReadOnly) {
  /**
   * @param isOpen whether the request is for a page that requires no account
   */
  static Access of(Shared shared, HttpRequest request, boolean isOpen) {
    ApiResponse refusal = shared.hosts().refusal(request, isOpen);
    if (refusal == null) {
      refusal = shared.cors().answer(request);
    }
    if (refusal != null) {
      return refused(refusal, null);
    }
    if (isOpen) {
      return new Access(null, null, Role.all(), false);
    }
    Set<Role> roles;
    try {
      roles = shared.authentication().roles(request);
    } catch (Authentication.BusyException e) {
      return refused(
          shared.api().overloaded("too many passwords are checked; try again"),
          Exchange.RETRY_SECONDS);
    }
    if (roles.isEmpty()) {
      return refused(
          ApiResponse.error(
                  ApiException.UNAUTHORIZED, "Unauthorized", "Missing or invalid credentials")
              .because(Authentication.failure(request)),
          null);
    }
    boolean isForeign = shared.cors().isForeign(request);
    return new Access(null, null, isForeign ? readOnly(roles) : roles, isForeign);
  }

  private static Access refused(ApiResponse refusal, @Nullable String retryAfter) {
    return new Access(refusal, retryAfter, EnumSet.noneOf(Role.class), false);
  }

  private static Set<Role> readOnly(Set<Role> roles) {
    return roles.contains(Role.READ) || roles.contains(Role.ADMIN)
        ? EnumSet.of(Role.READ)
        : EnumSet.noneOf(Role.class);
  }
}
