import { expect, test } from "vitest";
import { dialsOf } from "./dialling";

const hrefs = (how: string) => dialsOf(how).map(({ href }) => href);

test("a bare number is called", () => {
  expect(hrefs("112")).toEqual(["tel:112"]);
  expect(hrefs("call 1-800-222-1222")).toEqual(["tel:18002221222"]);
});

test("each of several emergency numbers says whom one reaches", () => {
  expect(dialsOf("119 for an ambulance or 110 for the police").map(({ number, about }) => [number, about])).toEqual([
    ["119", "for an ambulance"],
    ["110", "for the police"],
  ]);
  expect(dialsOf("112 from a mobile, 10177 for an ambulance or 10111 for the police").map(({ about }) => about)).toEqual(["from a mobile", "for an ambulance", "for the police"]);
  expect(dialsOf("999 or 112").map(({ number, about }) => [number, about])).toEqual([
    ["999", ""],
    ["112", ""],
  ]);
  expect(dialsOf("911, or 107 for an ambulance").map(({ about }) => about)).toEqual(["", "for an ambulance"]);
});

test("texting and calling are told apart", () => {
  expect(hrefs("call or text 988")).toEqual(["tel:988", "sms:988"]);
  expect(hrefs("call 1-800-799-7233 or text START to 88788")).toEqual(["tel:18007997233", "sms:88788?body=START"]);
  expect(dialsOf("text SHOUT to 85258")[0]).toMatchObject({ way: "text", word: "SHOUT", number: "85258" });
  expect(hrefs("call 800 202 148 or text 3060")).toEqual(["tel:800202148", "sms:3060"]);
});

test("brackets, stars and more than one number are read", () => {
  expect(hrefs("call 135, or (011) 5275-1135 from the whole country")).toEqual(["tel:135", "tel:01152751135"]);
  expect(hrefs("call 1553 (landline), 0919-057-1553 (Smart, TNT) or 0917-899-8727 (Globe, TM)")).toEqual(["tel:1553", "tel:09190571553", "tel:09178998727"]);
  expect(hrefs("call *4141 from a mobile")).toEqual(["tel:*4141"]);
  expect(hrefs("call 0800 111 0 111 or 0800 111 0 222")).toEqual(["tel:08001110111", "tel:08001110222"]);
});

test("a messenger's number is no telephone link", () => {
  expect(hrefs("call 1767 or WhatsApp 9151 1767")).toEqual(["tel:1767"]);
});
