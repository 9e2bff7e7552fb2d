import { expect, test } from "vitest";
import { pagePath, readRoute } from "./route";

test("help has an address of its own, from any conversation", () => {
  expect(readRoute(pagePath("help", "abc"))).toEqual({ page: "help", session: "abc", why: null });
});
