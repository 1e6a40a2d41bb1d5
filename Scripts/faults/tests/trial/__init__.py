"""Parts of a sweep that only end as one may: for the tests of what runs parts."""
