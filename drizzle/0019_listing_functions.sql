-- What the lists can be narrowed by, in one text: ordered by it, each combination that occurs is one stretch of an index.
CREATE OR REPLACE FUNCTION call_facet(is_test boolean, channel text, direction text, sentiment text, disposition text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  select case when is_test then 'only ' else 'without ' end || channel || ' ' || direction || ' '
    || coalesce(sentiment, '-') || ' ' || coalesce(disposition, '-')
$$;
--> statement-breakpoint
-- `array_to_string` is not said to be immutable, as what it writes of types other than text can change. Named with its
-- schema: PostgreSQL 17 knows no other while it makes an index.
CREATE OR REPLACE FUNCTION call_tags_text(tags text[]) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  select array_to_string(tags, E'\n')
$$;
--> statement-breakpoint
-- What the search of the list looks in. A word has no line break, so none is found across two of them.
CREATE OR REPLACE FUNCTION call_words(transcript text, summary text, tags text[], human text, agent text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  select transcript || E'\n' || coalesce(summary, '') || E'\n' || case when tags = '{}' then '' else public.call_tags_text(tags) end
    || E'\n' || human || E'\n' || agent
$$;
--> statement-breakpoint
-- What a conversation is found by from anywhere in the dashboard: the person's number, and a name among the variables.
CREATE OR REPLACE FUNCTION call_names(variables jsonb, human text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  select human || E'\n' || jsonb_path_query_array(variables, '$.*')::text
$$;
